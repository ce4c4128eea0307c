"""The model that people read: rules, tables, HTML, JSON, exports."""
