; inherits: c_family
; Definitions, preamble and comments of C.
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @definition.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @definition.function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name)))) @definition.function
(struct_specifier name: (type_identifier) @name body: (_)) @definition.type
(union_specifier name: (type_identifier) @name body: (_)) @definition.type
(translation_unit (declaration declarator: (identifier) @name) @definition.value)
(translation_unit (declaration declarator: (pointer_declarator declarator: (identifier) @name)) @definition.value)
(translation_unit (declaration declarator: (array_declarator declarator: (identifier) @name)) @definition.value)
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.value)
(translation_unit (declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @definition.value)
(translation_unit (declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @definition.value)
(translation_unit (declaration declarator: (init_declarator declarator: (pointer_declarator
  declarator: (array_declarator declarator: (identifier) @name)))) @definition.value)
(translation_unit (preproc_include) @preamble)
