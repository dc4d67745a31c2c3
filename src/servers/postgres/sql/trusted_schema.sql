-- What a store must not trust in its schema (trusted_schema.hpp).

-- find_foreign(text, bytea[]): precondition: names mean those of pg_catalog alone. `tables`: the tables, views and
-- sequences of the schema, and their children. `part`: what the server uses when it reads or changes one of them, and
-- everything else in the schema. `thing`: also what those need, such as the function of a trigger, the type of a column
-- and the table of a foreign key, wherever that is. A view of another schema that reads a table is not among them: it
-- does nothing to the table.
WITH RECURSIVE space AS (SELECT oid, nspacl FROM pg_namespace WHERE nspname = $1),
member AS (SELECT classid AS class, objid AS id FROM pg_depend
  WHERE refclassid = 'pg_namespace'::regclass AND refobjid = (SELECT oid FROM space)),
tables AS (SELECT id AS oid FROM member WHERE class = 'pg_class'::regclass
  UNION SELECT inhrelid FROM pg_inherits JOIN tables ON inhparent = tables.oid),
part AS (SELECT class, id FROM member
  UNION SELECT 'pg_class'::regclass, oid FROM tables
  UNION ALL SELECT 'pg_class'::regclass, indexrelid FROM pg_index JOIN tables ON indrelid = tables.oid
  UNION ALL SELECT 'pg_trigger'::regclass, pg_trigger.oid FROM pg_trigger JOIN tables ON tgrelid = tables.oid
  UNION ALL SELECT 'pg_rewrite'::regclass, pg_rewrite.oid FROM pg_rewrite JOIN tables ON ev_class = tables.oid
  UNION ALL SELECT 'pg_policy'::regclass, pg_policy.oid FROM pg_policy JOIN tables ON polrelid = tables.oid
  UNION ALL SELECT 'pg_attrdef'::regclass, pg_attrdef.oid FROM pg_attrdef JOIN tables ON adrelid = tables.oid
  UNION ALL SELECT 'pg_constraint'::regclass, pg_constraint.oid FROM pg_constraint
  JOIN tables ON conrelid = tables.oid),
thing AS (SELECT 'pg_namespace'::regclass::oid AS class, oid AS id FROM space
  UNION SELECT class, id FROM part
  UNION SELECT 'pg_class'::regclass, tgconstrrelid FROM pg_trigger JOIN tables ON tgrelid = tables.oid
  UNION SELECT refclassid, refobjid FROM part JOIN pg_depend ON classid = class AND objid = id
  WHERE refclassid <> 'pg_namespace'::regclass),
-- The table pg_shdepend would name the owners of all things in one column, but not those that a predefined role has,
-- such as pg_monitor.
owned AS (SELECT class, id, CASE class
  WHEN 'pg_namespace'::regclass THEN (SELECT nspowner FROM pg_namespace WHERE oid = id)
  WHEN 'pg_class'::regclass THEN (SELECT relowner FROM pg_class WHERE oid = id)
  WHEN 'pg_proc'::regclass THEN (SELECT proowner FROM pg_proc WHERE oid = id)
  WHEN 'pg_operator'::regclass THEN (SELECT oprowner FROM pg_operator WHERE oid = id)
  WHEN 'pg_type'::regclass THEN (SELECT typowner FROM pg_type WHERE oid = id)
  WHEN 'pg_opclass'::regclass THEN (SELECT opcowner FROM pg_opclass WHERE oid = id)
  WHEN 'pg_opfamily'::regclass THEN (SELECT opfowner FROM pg_opfamily WHERE oid = id)
  WHEN 'pg_collation'::regclass THEN (SELECT collowner FROM pg_collation WHERE oid = id)
  WHEN 'pg_conversion'::regclass THEN (SELECT conowner FROM pg_conversion WHERE oid = id)
  WHEN 'pg_statistic_ext'::regclass THEN (SELECT stxowner FROM pg_statistic_ext WHERE oid = id)
  WHEN 'pg_ts_config'::regclass THEN (SELECT cfgowner FROM pg_ts_config WHERE oid = id)
  WHEN 'pg_ts_dict'::regclass THEN (SELECT dictowner FROM pg_ts_dict WHERE oid = id)
  WHEN 'pg_language'::regclass THEN (SELECT lanowner FROM pg_language WHERE oid = id)
  WHEN 'pg_extension'::regclass THEN (SELECT extowner FROM pg_extension WHERE oid = id)
  WHEN 'pg_foreign_server'::regclass THEN (SELECT srvowner FROM pg_foreign_server WHERE oid = id)
  END AS role FROM thing),
-- A role that may make a trigger on a table runs code in it. So does one that may make a foreign key to it: the
-- triggers of its own table run after a change of this one. Role 0: PUBLIC, which is every role.
granted AS (SELECT 'pg_namespace'::regclass::oid AS class, oid AS id, privilege_type AS may, grantee AS role
  FROM space, aclexplode(nspacl) WHERE privilege_type = 'CREATE'
  UNION ALL SELECT 'pg_class'::regclass, pg_class.oid, privilege_type, grantee FROM pg_class
  JOIN tables ON tables.oid = pg_class.oid, aclexplode(relacl) WHERE privilege_type IN ('TRIGGER', 'REFERENCES')
  UNION ALL SELECT 'pg_class'::regclass, attrelid, 'REFERENCES (' || quote_ident(attname) || ')', grantee
  FROM pg_attribute JOIN tables ON tables.oid = attrelid, aclexplode(attacl)
  WHERE attacl IS NOT NULL AND privilege_type = 'REFERENCES'),
trusted AS (SELECT oid FROM pg_roles WHERE rolsuper OR rolname IN (current_user, 'pg_database_owner')
  OR convert_to(rolname, 'UTF8') = ANY($2)
  UNION ALL SELECT datdba FROM pg_database WHERE datname = current_database())
-- One thing is enough, and the schema says the most.
SELECT may IS NOT NULL, coalesce('REVOKE ' || may || ' ON ' || CASE class WHEN 'pg_class'::regclass
THEN id::regclass::text ELSE 'SCHEMA ' || quote_ident($1) END || ' FROM '
|| CASE role WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(role)) END, pg_describe_object(class, id, 0)),
pg_get_userbyid(role), role = 0 FROM (SELECT class, id, NULL AS may, role FROM owned
  UNION ALL SELECT class, id, may, role FROM granted) AS found
  WHERE role NOT IN (SELECT oid FROM trusted)
ORDER BY may IS NOT NULL, class <> 'pg_namespace'::regclass, class, id LIMIT 1;
