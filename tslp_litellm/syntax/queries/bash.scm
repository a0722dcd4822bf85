; Definitions, preamble and comments of shell files.
(function_definition name: (word) @name) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.value)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.value)
(program (declaration_command (variable_name) @name) @definition.value)
(subshell) @local
(command_substitution) @local
(program (command name: (command_name (word) @_source)) @preamble (#match? @_source "^(source|\\.)$"))
((command name: (command_name (word) @_dots)) @gap (#match? @_dots "^(\\.{3,}|…)$"))
(comment) @comment
