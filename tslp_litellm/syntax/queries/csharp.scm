; Definitions, preamble and comments of C#. A property is a function where it has code of its own.
(class_declaration name: (_) @name) @definition.type
(struct_declaration name: (_) @name) @definition.type
(record_declaration name: (_) @name) @definition.type
(interface_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name) @definition.type
(delegate_declaration name: (_) @name) @definition.type
(method_declaration name: (_) @name) @definition.function
(constructor_declaration name: (_) @name) @definition.function
(destructor_declaration name: (_) @name.destructor) @definition.function
(operator_declaration operator: _ @name.operator) @definition.function
(conversion_operator_declaration type: (_) @name.operator) @definition.function
(indexer_declaration "this" @name) @definition.function
(property_declaration name: (_) @name value: (arrow_expression_clause)) @definition.function
(property_declaration name: (_) @name accessors: (accessor_list (accessor_declaration body: (_)))) @definition.function
(event_declaration name: (_) @name) @definition.function
(field_declaration (variable_declaration (variable_declarator
  name: (_) @name [(lambda_expression) (anonymous_method_expression)]))) @definition.function
(compilation_unit (global_statement (local_function_statement name: (_) @name) @definition.function))
(compilation_unit (global_statement (local_declaration_statement (variable_declaration
  (variable_declarator name: (identifier) @name)))) @definition.value)
(lambda_expression) @local
(anonymous_method_expression) @local
(compilation_unit (using_directive) @preamble)
(compilation_unit (file_scoped_namespace_declaration) @preamble)
(attribute_list) @attribute
(comment) @comment
