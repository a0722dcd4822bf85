; Definitions, preamble and comments of Rust.
(function_item name: (_) @name) @definition.function
(function_signature_item name: (_) @name) @definition.function
(macro_definition name: (_) @name) @definition.function
(struct_item name: (_) @name) @definition.type
(enum_item name: (_) @name) @definition.type
(union_item name: (_) @name) @definition.type
(trait_item name: (_) @name) @definition.type
(type_item name: (_) @name) @definition.type
((source_file (const_item name: (_) @name) @definition.value) (#not-eq? @name "_"))
(source_file (static_item name: (_) @name) @definition.value)
((mod_item (declaration_list (const_item name: (_) @name) @definition.value)) (#not-eq? @name "_"))
(mod_item (declaration_list (static_item name: (_) @name) @definition.value))
(impl_item type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
  (scoped_type_identifier name: (type_identifier) @name)
  (reference_type type: (type_identifier) @name)
  (reference_type type: (generic_type type: (type_identifier) @name))]) @extension
(impl_item type: (primitive_type) @name) @extension
(closure_expression) @local
(source_file (use_declaration) @preamble)
(source_file (extern_crate_declaration) @preamble)
(source_file (inner_attribute_item) @preamble)
(attribute_item) @attribute
(line_comment) @comment
(block_comment) @comment
