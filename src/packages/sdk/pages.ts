/** Page of a list. `nextCursor` is absent on the last page. */
export type Page<Item> = {
  readonly object: 'list';
  readonly data: Item[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
};

/**
 * Request for a list. `await` returns one page; `for await` reads the items of all pages, and requests a page when its first item is
 * needed.
 */
export class PageRequest<Item> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #load: (cursor?: string) => Promise<Page<Item>>;
  #first: Promise<Page<Item>> | null = null;

  constructor(load: (cursor?: string) => Promise<Page<Item>>) {
    this.#load = load;
  }

  // biome-ignore lint/suspicious/noThenProperty: Lists are awaited like other requests.
  then<Done = Page<Item>, Failed = never>(
    onDone?: ((page: Page<Item>) => Done | PromiseLike<Done>) | null,
    onFailed?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    this.#first ??= this.#load();
    return this.#first.then(onDone, onFailed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    let page: Page<Item> = await this.then();
    for (;;) {
      yield* page.data;
      if (!page.hasMore || page.nextCursor === undefined) return;
      page = await this.#load(page.nextCursor);
    }
  }
}
