/** Runs SQL on a database. */
export interface Queryable {
  query: <Row>(sql: string) => Promise<Row[]>;
}
