; inherits: c_family
(_ index: (identifier) @ask)
(unary_expression argument: (identifier) @ask)
(goto_statement (statement_identifier) @skip)
