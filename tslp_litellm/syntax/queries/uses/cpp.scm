(preproc_include) @import
(call_expression function: (identifier) @ask)
(_ condition: (identifier) @ask)
(_ value: (identifier) @ask)
(_ right: (identifier) @ask)
(_ size: (identifier) @ask)
[
  (argument_list (identifier) @ask)
  (binary_expression (identifier) @ask)
  (initializer_list (identifier) @ask)
  (parenthesized_expression (identifier) @ask)
  (return_statement (identifier) @ask)
  (subscript_argument_list (identifier) @ask)
]
(_ type: (type_identifier) @ask)
[
  (base_class_clause (type_identifier) @ask)
  (template_argument_list (type_descriptor type: (type_identifier) @ask))
]
(template_type name: (type_identifier) @ask)
(template_function name: (identifier) @ask)
(enumerator name: (identifier) @skip)
(function_declarator declarator: (qualified_identifier) @skip)
(qualified_identifier scope: (namespace_identifier) @head name: (identifier) @tail)
(qualified_identifier scope: (namespace_identifier) @head name: (type_identifier) @tail)
(preproc_ifdef name: (identifier) @skip)
