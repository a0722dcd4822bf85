; Definitions, preamble and comments of Python.
(class_definition name: (identifier) @name) @definition.type
(function_definition name: (identifier) @name) @definition.function
(module (assignment left: (identifier) @name right: (lambda)) @definition.function)
(module (assignment left: (identifier) @name) @definition.value)
(module (type_alias_statement left: (type (identifier) @name)) @definition.type)
(module (type_alias_statement left: (type (generic_type (identifier) @name))) @definition.type)
(module (import_statement) @preamble)
(module (import_from_statement) @preamble)
(module (future_import_statement) @preamble)
(comment) @comment
(block (ellipsis) @gap)
(module (ellipsis) @gap)
