import DataLoader from 'dataloader';
import {
  type Mark,
  readCounts,
  readDerived,
  readExistence,
  readGroups,
  readMarks,
} from '../../platform/db/row-list-figures.ts';
import type { Parents, Place, RowList } from '../../platform/db/row-lists.ts';
import type { Context } from '../../request/context.ts';
import type { Derive, Group, Groups, PageSource } from './connections.ts';
import { encodePlace, type NamedOrder } from './cursors.ts';

type OrderedList = RowList & { readonly order: NamedOrder };

/** Parent row of a list. Lists with the same `key` are read together for all parents. */
export type ListParent = { readonly by: string; readonly id: string; readonly key: string };

/** List in an environment, or below a parent row. Lists for several parents are read together. */
export class ListSource implements PageSource {
  readonly #ctx: Context;
  readonly #list: OrderedList;
  readonly #parent: ListParent | null;

  constructor(ctx: Context, list: OrderedList, parent: ListParent | null) {
    this.#ctx = ctx;
    this.#list = list;
    this.#parent = parent;
  }

  /** Returns the rows in this list. Reads the lists of all parents with the same key together. */
  async #ask<T extends { readonly parent: string }>(
    question: string,
    read: (parents: Parents | null) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    if (this.#parent === null) return read(null);
    const { by, id, key } = this.#parent;
    const loader = this.#ctx.once(
      `about:${key}:${question}`,
      () =>
        new DataLoader<string, readonly T[]>(async (ids) => {
          const answers = Map.groupBy(await read({ by, ids }), ({ parent }) => parent);
          return ids.map((parentId) => answers.get(parentId) ?? []);
        }),
    );
    return loader.load(id);
  }

  /** True if the list has rows at the position or on the given side of it. */
  async has(place: Place, side: 'after' | 'before'): Promise<boolean> {
    const [answer] = await this.#ask(`${side}:${encodePlace(this.#list.order, place)}`, (parents) =>
      readExistence(this.#ctx.reads, this.#list, parents, { place, side }),
    );
    return answer?.found ?? false;
  }

  async count(limit: number): Promise<number> {
    const [answer] = await this.#ask(`count:${limit}`, (parents) =>
      readCounts(this.#ctx.reads, this.#list, parents, limit),
    );
    return Number(answer?.count ?? 0);
  }

  async marks(every: number, limit: number): Promise<{ cursors: string[]; count: number }> {
    const marks = await this.#ask(`marks:${every}:${limit}`, (parents) =>
      readMarks(this.#ctx.reads, this.#list, parents, { every, limit }),
    );
    const { order } = this.#list;
    const placeOf = (mark: Mark): Place => order.keys.map((_key, index) => mark[`k${index}`]);
    return {
      cursors: marks.filter(({ count }) => count === null).map((mark) => encodePlace(order, placeOf(mark))),
      count: Number(marks.find(({ count }) => count !== null)?.count ?? 0),
    };
  }

  /** Groups up to `groups.limit` rows of the list and returns the groups with their sums. */
  groups(groups: Groups): Promise<readonly Group[]> {
    return this.#ask(`groups:${JSON.stringify(groups)}`, (parents) =>
      readGroups(this.#ctx.reads, this.#list, parents, groups),
    );
  }

  /** Returns rows that are derived from up to `limit` rows. Undefined below a parent row. */
  async derived(derive: Derive, limit: number): Promise<readonly Readonly<Record<string, unknown>>[]> {
    if (this.#parent !== null)
      throw new Error('Totals of customers are read only for a list of an environment.');
    return readDerived(this.#ctx.reads, this.#list, derive, limit);
  }
}
