; inherits: c_family
; Definitions, preamble and comments of C++. Namespaces are no part of a name; a declaration without a body is no
; definition, but for a pure virtual function. Google Test's cases are named by their arguments.
(function_definition declarator: [
  (function_declarator declarator: [(identifier) (field_identifier)] @name)
  (_ (function_declarator declarator: [(identifier) (field_identifier)] @name))
  (_ (_ (function_declarator declarator: [(identifier) (field_identifier)] @name)))]
  (#not-match? @name "^(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|BENCHMARK_F|BENCHMARK_DEFINE_F)$")) @definition.function
(function_definition declarator: [
  (function_declarator declarator: [(destructor_name) (operator_name) (qualified_identifier)] @name.qualified)
  (_ (function_declarator declarator: [(operator_name) (qualified_identifier)] @name.qualified))
  (_ (_ (function_declarator declarator: [(operator_name) (qualified_identifier)] @name.qualified)))]) @definition.function
(function_definition declarator: (function_declarator declarator: (template_function name: (identifier) @name))) @definition.function
(function_definition declarator: (_ (function_declarator declarator: (template_function name: (identifier) @name)))) @definition.function
(function_definition declarator: (operator_cast type: (_) @name.operator)) @definition.function
(function_definition declarator: (qualified_identifier
  scope: [(namespace_identifier) @container (template_type name: (_) @container)]
  name: (operator_cast type: (_) @name.operator))) @definition.function
(function_definition declarator: (function_declarator
  declarator: (identifier) @_test parameters: (parameter_list) @name.test)
  (#match? @_test "^(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|BENCHMARK_F|BENCHMARK_DEFINE_F)$")) @definition.function
(field_declaration declarator: (function_declarator declarator: (_) @name) default_value: (number_literal)) @definition.function
(field_declaration declarator: (_ (function_declarator declarator: (_) @name)) default_value: (number_literal)) @definition.function
(class_specifier name: [(type_identifier) (template_type)] @name.plain body: (_)) @definition.type
(struct_specifier name: [(type_identifier) (template_type)] @name.plain body: (_)) @definition.type
(union_specifier name: [(type_identifier) (template_type)] @name.plain body: (_)) @definition.type
(class_specifier name: (qualified_identifier) @name.qualified_type body: (_)) @definition.type
(struct_specifier name: (qualified_identifier) @name.qualified_type body: (_)) @definition.type
(enum_specifier name: (qualified_identifier) @name.qualified_type body: (_)) @definition.type
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.type
(declaration declarator: (init_declarator declarator: (identifier) @name value: (lambda_expression))) @definition.function
(declaration declarator: [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (reference_declarator (identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))])]) @definition.value
(declaration declarator: [
  (qualified_identifier) @name.qualified
  (init_declarator declarator: (qualified_identifier) @name.qualified)]) @definition.value
(lambda_expression) @local
(compound_statement) @local
(preproc_include) @preamble
