; inherits: ecma
; Definitions, preamble and comments of TypeScript.
(abstract_class_declaration name: (_) @name) @definition.type
(interface_declaration name: (_) @name) @definition.type
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name) @definition.type
(function_signature name: (_) @name) @definition.function
(abstract_method_signature name: (_) @name) @definition.function
(class_body (method_signature name: (_) @name) @definition.function)
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @definition.function
