((command name: (command_name (word) @c) . argument: (_)) @import (#any-of? @c "source" "."))
(command name: (command_name (word) @ask))
(command argument: (word) @skip)
