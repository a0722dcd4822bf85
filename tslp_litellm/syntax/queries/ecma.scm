; What JavaScript and TypeScript have in common.
(class_declaration name: (_) @name) @definition.type
(function_declaration name: (_) @name) @definition.function
(generator_function_declaration name: (_) @name) @definition.function
(method_definition name: (_) @name) @definition.function
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(variable_declarator name: (identifier) @name value: (class)) @definition.type
(variable_declarator name: (identifier) @name value: (call_expression
  function: [(identifier) @_wrap (member_expression property: (property_identifier) @_wrap)]
  arguments: (arguments . [(arrow_function) (function_expression) (call_expression)]))
  (#match? @_wrap "^(memo|forwardRef|lazy|observer|defineComponent|createAsyncThunk|cache)$")) @definition.function
(variable_declarator value: (object (pair key: (property_identifier) @name
  value: [(arrow_function) (function_expression)]) @definition.function))
(program (export_statement value: (object (pair key: (property_identifier) @name
  value: [(arrow_function) (function_expression)]) @definition.function)))
(program (export_statement value: (object (pair value: (object (pair key: (property_identifier) @name
  value: [(arrow_function) (function_expression)]) @definition.function)))))
(program [(lexical_declaration (variable_declarator name: (identifier) @name) @definition.value)
          (variable_declaration (variable_declarator name: (identifier) @name) @definition.value)])
(program (export_statement
  declaration: [(lexical_declaration (variable_declarator name: (identifier) @name) @definition.value)
                (variable_declaration (variable_declarator name: (identifier) @name) @definition.value)]))
(program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]) @definition.function)
  (#eq? @_exports "exports"))
(program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @container property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]) @definition.function)
  (#not-match? @container "^(exports|module)$"))
(program (expression_statement (assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @container property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]) @definition.function)
  (#eq? @_prototype "prototype"))
(call_expression function: (parenthesized_expression [(function_expression) (arrow_function)] @scope))
(arrow_function) @local
(function_expression) @local
(generator_function) @local
(program (import_statement) @preamble)
(program (lexical_declaration (variable_declarator
  value: (call_expression function: (identifier) @_require))) @preamble (#eq? @_require "require"))
(decorator) @attribute
(comment) @comment
