/** Moves IDs directly before or after another ID. Returns all IDs in the new order. */
export function movedIds(
  ids: readonly string[],
  moved: ReadonlySet<string>,
  target: string,
  isBefore: boolean,
): string[] {
  const others = ids.filter((id) => !moved.has(id));
  const place = others.indexOf(target) + (isBefore ? 0 : 1);
  return [...others.slice(0, place), ...ids.filter((id) => moved.has(id)), ...others.slice(place)];
}
