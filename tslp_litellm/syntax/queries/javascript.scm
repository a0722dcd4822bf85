; inherits: ecma
; Definitions, preamble and comments of JavaScript (JSX included).
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @definition.function
(program (expression_statement (assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
    property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]) @definition.function)
  (#eq? @_module "module") (#eq? @_exports "exports"))
