; inherits: vue
