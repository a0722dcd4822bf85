; Definitions, preamble and comments of Ruby. Modules are namespaces, and so no part of a name.
(class name: (constant) @name) @definition.type
(class name: (scope_resolution name: (constant) @name)) @definition.type
(method name: (_) @name) @definition.function
(singleton_method name: (_) @name) @definition.function
(assignment left: (constant) @name right: (call method: (identifier) @_new block: (_))
  (#eq? @_new "new")) @definition.type
(program (assignment left: (constant) @name) @definition.value)
(module body: (body_statement (assignment left: (constant) @name) @definition.value))
(lambda) @local
(program (call method: (identifier) @_require) @preamble (#match? @_require "^require(_relative)?$"))
(comment) @comment
