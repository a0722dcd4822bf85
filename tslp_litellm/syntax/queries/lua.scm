; Definitions, preamble and comments of Lua. A function in a table is `Table.name`, however it is written.
(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: [(dot_index_expression) (method_index_expression)] @name.dotted) @definition.function
(assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition))) @definition.function
(assignment_statement (variable_list . name: (dot_index_expression) @name.dotted .)
  (expression_list . value: (function_definition))) @definition.function
(field name: (identifier) @name value: (function_definition)) @definition.function
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name)) @definition.value))
(chunk (variable_declaration (variable_list name: (identifier) @name)) @definition.value)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @definition.value)
(function_definition) @local
(chunk (variable_declaration (assignment_statement (expression_list
  value: (function_call name: (identifier) @_require)))) @preamble (#eq? @_require "require"))
(comment) @comment
