; inherits: c_family
(subscript_argument_list (identifier) @ask)
[
  (base_class_clause (type_identifier) @ask)
  (template_argument_list (type_descriptor type: (type_identifier) @ask))
]
(template_type name: (type_identifier) @ask)
(template_function name: (identifier) @ask)
(function_declarator declarator: (qualified_identifier) @skip)
(qualified_identifier scope: (namespace_identifier) @head name: (identifier) @tail)
(qualified_identifier scope: (namespace_identifier) @head name: (type_identifier) @tail)
(destructor_name (identifier) @skip)
(field_declaration_list (_ declarator: (function_declarator declarator: (identifier) @skip)))
(field_declaration declarator: (field_identifier) @member)
(field_declaration declarator: (_ (field_identifier) @member))
(field_declaration declarator: (_ (_ (field_identifier) @member)))
(field_declaration declarator: (_ (_ (_ (field_identifier) @member))))
