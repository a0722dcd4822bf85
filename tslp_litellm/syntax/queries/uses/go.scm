(import_declaration) @import
(package_clause (package_identifier) @package)
(call_expression function: (identifier) @ask)
(_ condition: (identifier) @ask)
(_ operand: (identifier) @ask)
(_ index: (identifier) @ask)
[
  (argument_list (identifier) @ask)
  (binary_expression (identifier) @ask)
  (literal_element (identifier) @ask)
  (parenthesized_expression (identifier) @ask)
]
(return_statement (expression_list (identifier) @ask))
(_ right: (expression_list (identifier) @ask))
(_ value: (expression_list (identifier) @ask))
(keyed_element key: (literal_element (identifier) @skip))
(_ type: (type_identifier) @ask)
(_ element: (type_identifier) @ask)
(_ value: (type_identifier) @ask)
(_ key: (type_identifier) @ask)
(_ result: (type_identifier) @ask)
[
  (pointer_type (type_identifier) @ask)
  (type_elem (type_identifier) @ask)
]
(qualified_type) @chain
(selector_expression operand: (identifier)) @chain
(method_declaration name: (_) @skip)
