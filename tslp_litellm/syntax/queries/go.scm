; Definitions, preamble and comments of Go.
(function_declaration name: (identifier) @name) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @container
    (pointer_type (type_identifier) @container)
    (generic_type type: (type_identifier) @container)
    (pointer_type (generic_type type: (type_identifier) @container))]))
  name: (field_identifier) @name) @definition.function
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
((source_file (const_declaration (const_spec name: (identifier) @name) @definition.value)) (#not-eq? @name "_"))
((source_file (var_declaration (var_spec name: (identifier) @name) @definition.value)) (#not-eq? @name "_"))
((source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.value))) (#not-eq? @name "_"))
(func_literal) @local
(source_file (package_clause) @preamble)
(source_file (import_declaration) @preamble)
(comment) @comment
