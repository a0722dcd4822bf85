(use_declaration) @import
((mod_item !body) @import)
(_ function: (identifier) @ask)
(_ value: (identifier) @ask)
(_ condition: (identifier) @ask)
(_ right: (identifier) @ask)
[
  (arguments (identifier) @ask)
  (array_expression (identifier) @ask)
  (binary_expression (identifier) @ask)
  (block (identifier) @ask)
  (index_expression (identifier) @ask)
  (parenthesized_expression (identifier) @ask)
  (range_expression (identifier) @ask)
  (return_expression (identifier) @ask)
  (try_expression (identifier) @ask)
  (tuple_expression (identifier) @ask)
  (type_cast_expression (identifier) @ask)
  (unary_expression (identifier) @ask)
]
(_ type: (type_identifier) @ask)
(_ return_type: (type_identifier) @ask)
(_ trait: (type_identifier) @ask)
(_ element: (type_identifier) @ask)
(struct_expression name: (type_identifier) @ask)
[
  (ordered_field_declaration_list (type_identifier) @ask)
  (trait_bounds (type_identifier) @ask)
  (tuple_type (type_identifier) @ask)
  (type_arguments (type_identifier) @ask)
]
(scoped_identifier) @chain
(scoped_type_identifier) @chain
(macro_rule) @skip
(token_tree (identifier) @quiet)
(token_tree (identifier) @ask . (token_tree . "("))
((token_tree (identifier) @ask) (#match? @ask "^[A-Z]"))
(token_tree (identifier) @head . "::" . (identifier) @tail)
(token_tree ["." "::"] . (identifier) @skip)
((token_tree (identifier) @skip . [":" "="]) (#match? @skip "^[A-Z]"))
(token_tree ["let" (mutable_specifier) "fn" "for" "static" "const" "struct" "enum" "type"] . (identifier) @bind)
((token_tree "|" . (identifier) @bind) (#match? @bind "^[a-z_]"))
((token_tree (identifier) @bind . ["|" "=>"]) (#match? @bind "^[a-z_]"))
(attribute_item) @skip
(inner_attribute_item) @skip
(impl_item body: (declaration_list (function_item name: (identifier) @skip)))
(impl_item body: (declaration_list (const_item name: (identifier) @skip)))
(trait_item body: (declaration_list (function_item name: (identifier) @skip)))
(trait_item body: (declaration_list (function_signature_item name: (identifier) @skip)))
(enum_variant name: (identifier) @skip)
