// One list of several, each of which keeps its own order. Pure.

/** What one list has after a place: its rows in order with their cursors, and whether there are more. */
export type Stream<Row extends object> = {
  readonly name: string;
  readonly rows: readonly { readonly row: Row; readonly at: Date; readonly cursor: string }[];
  readonly hasMore: boolean;
};

/** The cursor of the last row taken of each list, by name; absent before the first. */
export type Places = Readonly<Record<string, string>>;

/** A page of the lists together, and where each list stands after each of its rows. */
export type Merged<Row extends object> = {
  readonly rows: readonly Row[];
  readonly places: ReadonlyMap<Row, Places>;
  readonly hasMore: boolean;
};

/**
 * The newest `size` rows of all lists, each list in its own order: of the rows that are next in their lists the latest one comes first, of equal
 * ones that of the list named first. Each list must hold at least `size` rows, or all of its.
 */
export function arrangeStreams<Row extends object>(
  streams: readonly Stream<Row>[],
  size: number,
  before: Places,
): Merged<Row> {
  const taken = streams.map(() => 0);
  const places = new Map<Row, Places>();
  let place = before;
  while (places.size < size) {
    let next = -1;
    for (const [index, { rows }] of streams.entries()) {
      const head = rows[taken[index] ?? 0];
      const best = streams[next]?.rows[taken[next] ?? 0];
      if (head !== undefined && (best === undefined || head.at > best.at)) next = index;
    }
    const stream = streams[next];
    const head = stream?.rows[taken[next] ?? 0];
    if (stream === undefined || head === undefined) break;
    taken[next] = (taken[next] ?? 0) + 1;
    place = { ...place, [stream.name]: head.cursor };
    places.set(head.row, place);
  }
  const hasMore = streams.some(({ rows, hasMore }, index) => hasMore || rows.length > (taken[index] ?? 0));
  return { rows: [...places.keys()], places, hasMore };
}
