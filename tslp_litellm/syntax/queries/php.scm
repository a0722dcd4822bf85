; Definitions, preamble and comments of PHP. Names are without `$`.
(class_declaration name: (name) @name) @definition.type
(interface_declaration name: (name) @name) @definition.type
(trait_declaration name: (name) @name) @definition.type
(enum_declaration name: (name) @name) @definition.type
(method_declaration name: (name) @name) @definition.function
(function_definition name: (name) @name) @definition.function
(program (expression_statement (assignment_expression
  left: (variable_name (name) @name) right: [(anonymous_function) (arrow_function)]) @definition.function))
(program (expression_statement (assignment_expression left: (variable_name (name) @name)) @definition.value))
(program (const_declaration (const_element . (name) @name) @definition.value))
(namespace_definition body: (compound_statement (const_declaration (const_element . (name) @name) @definition.value)))
(expression_statement (function_call_expression function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))) @definition.value (#eq? @_define "define"))
(anonymous_function) @local
(arrow_function) @local
(anonymous_class) @local
(program (return_statement (object_creation_expression (anonymous_class) @scope)))
(program (namespace_definition !body) @preamble)
(program (namespace_use_declaration) @preamble)
(program (declare_statement) @preamble)
(attribute_list) @attribute
(comment) @comment
