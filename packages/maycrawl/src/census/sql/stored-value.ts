// Values of query results. The types of the package of the database stay out of here, because it is optional.

/** A value of JSON. */
export type StoredValue =
  | null
  | boolean
  | number
  | string
  | readonly StoredValue[]
  | { readonly [name: string]: StoredValue };
