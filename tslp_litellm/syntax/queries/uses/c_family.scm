(preproc_include) @import
(call_expression function: (identifier) @ask)
(_ condition: (identifier) @ask)
(_ value: (identifier) @ask)
(_ right: (identifier) @ask)
(_ size: (identifier) @ask)
[
  (argument_list (identifier) @ask)
  (binary_expression (identifier) @ask)
  (conditional_expression (identifier) @ask)
  (initializer_list (identifier) @ask)
  (parenthesized_expression (identifier) @ask)
  (return_statement (identifier) @ask)
]
(_ type: (type_identifier) @ask)
(enumerator name: (identifier) @skip)
(preproc_ifdef name: (identifier) @skip)
