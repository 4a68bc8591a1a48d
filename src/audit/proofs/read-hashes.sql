-- Reads stored hashes of a tree.
--
-- In:
--   :treeId  uuid        of the tree
--   :levels  smallint[]  of each range: 0 reads leaves, a multiple of 8 complete subtrees of 2^level leaves
--   :firsts  bigint[]    of each range: its first index at that level
--   :lasts   bigint[]    of each range: its last index
-- Out: a row for each hash, in order.
--   number  integer  of the range; 1 is the first
--   hash    bytea
-- Locks: none.
-- Example:
--   :treeId = '01990000-0000-7000-8000-000000000001'
--   :levels = array[0, 8]
--   :firsts = array[256, 0]
--   :lasts = array[257, 0]
--   returns 1, \x6e34…; 1, \xfac5…; 2, \xaeb6…

select number::integer, hashes.hash
from unnest(:levels::smallint[], :firsts::bigint[], :lasts::bigint[]) with ordinality as ranges (level, first, last, number)
cross join lateral (
  select index, leaf_hash as hash from audit_leaves
  where level = 0 and tree_id = :treeId::uuid and index between first and last
  union all
  select index, audit_nodes.hash from audit_nodes
  where ranges.level > 0 and tree_id = :treeId::uuid and audit_nodes.level = ranges.level and index between first and last
) as hashes
order by number, hashes.index
