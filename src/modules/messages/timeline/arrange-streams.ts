// Pure functions that merge several sorted lists into one.

/** Consecutive rows of a list with their cursors, and whether more rows follow. */
export type Stream<Row extends object> = {
  readonly name: string;
  readonly rows: readonly { readonly row: Row; readonly at: Date; readonly cursor: string }[];
  readonly hasMore: boolean;
};

/** Cursor of the last row taken from each list, by list name. Missing for lists without any taken row. */
export type Places = Readonly<Record<string, string>>;

/** Page of the merged list, with the positions in all source lists after each row. */
export type Merged<Row extends object> = {
  readonly rows: readonly Row[];
  readonly places: ReadonlyMap<Row, Places>;
  readonly hasMore: boolean;
};

/**
 * Returns the newest `size` rows of all lists and preserves the order within each list. Among rows with the same time, rows of earlier
 * lists come first. Each list must provide at least `size` rows, or all of its rows.
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
