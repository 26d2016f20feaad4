import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Marks,
  MarksPages,
  type PageSink,
  readOnce,
} from '../../src/dashboard/kit/grid/cursor-pages.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const total = 1_000;
const marks: Marks = {
  cursors: Array.from({ length: 9 }, (_, index) => `after ${(index + 1) * 100}`),
  total,
  isComplete: true,
};

/** Source whose page requests stay pending until the test responds to them. */
function openSource() {
  const asked: { after: string | null; sink: PageSink<string>; isClosed: boolean }[] = [];
  const source = {
    page: (after: string | null, _size: number, sink: PageSink<string>) => {
      const request = { after, sink, isClosed: false };
      asked.push(request);
      return () => {
        request.isClosed = true;
      };
    },
    marks: vi.fn(async (_every: number, _upTo: number) => marks),
  };
  const answer = (after: string | null, name = 'row', count = 100) => {
    const start = after === null ? 0 : Number(after.slice(6));
    const request = asked.findLast((one) => one.after === after && !one.isClosed);
    request?.sink.rows(Array.from({ length: count }, (_, index) => `${name} ${start + index}`));
  };
  return {
    asked,
    source,
    answer,
    open: () => asked.filter(({ isClosed }) => !isClosed).map(({ after }) => after),
  };
}

async function startedPages() {
  const parts = openSource();
  const pages = new MarksPages(parts.source);
  const listener = vi.fn();
  const stop = pages.subscribe(listener);
  await vi.advanceTimersByTimeAsync(0);
  return { ...parts, pages, listener, stop };
}

describe("a list's page loader", () => {
  it('initially loads the first page, the row count, and the cursors for the other pages', async () => {
    const { pages, asked, answer } = await startedPages();
    expect(asked.map(({ after }) => after)).toEqual([null]);
    expect(pages.state).toMatchObject({ rowCount: total, isExact: true, status: 'loading' });
    answer(null);
    expect(pages.state.status).toBe('ready');
    expect([pages.rowAt(0), pages.rowAt(99), pages.rowAt(100)]).toEqual(['row 0', 'row 99', undefined]);
  });

  it('loads the visible rows 80 ms after scrolling stops, with one request per page', async () => {
    const { pages, asked, answer, open } = await startedPages();
    answer(null);
    pages.onVisible({ from: 300, until: 320 });
    await vi.advanceTimersByTimeAsync(79);
    pages.onVisible({ from: 550, until: 570 });
    await vi.advanceTimersByTimeAsync(79);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(open()).toEqual(['after 500']);
    answer('after 500');
    expect(pages.rowAt(555)).toBe('row 555');
    // The first page is closed, but its rows remain cached.
    expect(pages.rowAt(5)).toBe('row 5');
  });

  it('loads at most two pages at the same time', async () => {
    const { pages, answer, open } = await startedPages();
    answer(null);
    pages.onVisible({ from: 250, until: 560 });
    await vi.advanceTimersByTimeAsync(80);
    expect(open()).toEqual(['after 200', 'after 300']);
    answer('after 200');
    expect(open()).toEqual(['after 200', 'after 300', 'after 400']);
    answer('after 300');
    answer('after 400');
    answer('after 500');
    expect(pages.rowAt(559)).toBe('row 559');
  });

  it('shows updated rows on a page that is open', async () => {
    const { pages, answer, listener } = await startedPages();
    answer(null);
    listener.mockClear();
    answer(null, 'changed');
    expect(listener).toHaveBeenCalledTimes(1);
    expect(pages.rowAt(7)).toBe('changed 7');
  });

  it('keeps old rows during a refresh', async () => {
    const { pages, answer, asked, source } = await startedPages();
    answer(null);
    pages.refresh();
    expect([pages.rowAt(3), asked.length, asked[0]?.isClosed]).toEqual(['row 3', 2, true]);
    asked[0]?.sink.rows(['late']);
    expect(pages.rowAt(0)).toBe('row 0');
    answer(null, 'new');
    expect([pages.rowAt(3), source.marks.mock.calls.length]).toEqual(['new 3', 1]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(source.marks).toHaveBeenCalledTimes(2);
  });

  it('counts the rows again after reloading the visible rows, but not after showing cached rows', async () => {
    const { pages, answer, asked, source } = await startedPages();
    answer(null);
    pages.refresh();
    await vi.advanceTimersByTimeAsync(1_000);
    asked[1]?.sink.rows(['cached'], true);
    expect([pages.rowAt(0), source.marks.mock.calls.length]).toEqual(['cached', 1]);
    asked[1]?.sink.rows(['new']);
    expect([pages.rowAt(0), source.marks.mock.calls]).toEqual([
      'new',
      [
        [100, 100_000],
        [100, 100_000],
      ],
    ]);
  });

  it('counts ten times as many rows if the end of the counted rows is visible', async () => {
    const parts = openSource();
    const long: Marks = {
      cursors: Array.from({ length: 1_000 }, (_, index) => `after ${(index + 1) * 100}`),
      total: 100_000,
      isComplete: false,
    };
    const last = 'after 100000';
    parts.source.marks
      .mockResolvedValueOnce(long)
      .mockResolvedValueOnce({ ...long, total: 100_040, isComplete: true });
    const pages = new MarksPages(parts.source);
    pages.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    parts.answer(null);
    expect(pages.state).toMatchObject({ rowCount: 100_000, isExact: false });
    pages.onVisible({ from: 99_950, until: 100_000 });
    await vi.advanceTimersByTimeAsync(80);
    expect(parts.source.marks).toHaveBeenCalledTimes(1);
    parts.answer('after 99900');
    await vi.advanceTimersByTimeAsync(0);
    expect(parts.source.marks.mock.calls).toEqual([
      [100, 100_000],
      [100, 1_000_000],
    ]);
    expect(pages.state).toMatchObject({ rowCount: 100_040, isExact: true });
    pages.onVisible({ from: 99_990, until: 100_040 });
    await vi.advanceTimersByTimeAsync(80);
    parts.answer(last, 'row', 40);
    expect(pages.rowAt(100_039)).toBe('row 100039');
    expect(parts.source.marks).toHaveBeenCalledTimes(2);
  });

  it('reports that a page failed to load, and retries on refresh', async () => {
    const { pages, answer, asked } = await startedPages();
    asked[0]?.sink.failed(new Error('gone'));
    expect(pages.state).toMatchObject({ status: 'error', error: new Error('gone') });
    pages.refresh();
    answer(null);
    expect(pages.state).toMatchObject({ status: 'ready', error: null });
  });

  it('discards the rows that have been hidden the longest', async () => {
    const parts = openSource();
    const pages = new MarksPages(parts.source, { kept: 2 });
    pages.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    parts.answer(null);
    for (const from of [300, 500]) {
      pages.onVisible({ from, until: from + 10 });
      await vi.advanceTimersByTimeAsync(80);
      parts.answer(`after ${from}`);
    }
    expect([pages.rowAt(0), pages.rowAt(300), pages.rowAt(500)]).toEqual([undefined, 'row 300', 'row 500']);
  });

  it('closes when the last listener unsubscribes, and reopens when another subscribes', async () => {
    const { pages, answer, open, stop } = await startedPages();
    answer(null);
    stop();
    expect(open()).toEqual([]);
    pages.subscribe(() => undefined);
    expect(open()).toEqual([null]);
    expect(pages.rowAt(0)).toBe('row 0');
  });

  it("becomes ready if the list is empty, and reports if the row count isn't exact", async () => {
    const parts = openSource();
    parts.source.marks.mockResolvedValue({ cursors: [], total: 0, isComplete: true });
    const empty = new MarksPages(parts.source);
    empty.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    parts.answer(null, 'row', 0);
    expect(empty.state).toMatchObject({ rowCount: 0, status: 'ready', isExact: true });
    parts.source.marks.mockResolvedValue({ ...marks, isComplete: false });
    empty.refresh();
    parts.answer(null);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(empty.state).toMatchObject({ rowCount: total, isExact: false });
  });

  it('loads rows from a source that returns promises', async () => {
    const pages = new MarksPages({
      page: readOnce(async (after, size) => [`${after} ${size}`]),
      marks: async () => ({ cursors: [], total: 1, isComplete: true }),
    });
    pages.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect([pages.rowAt(0), pages.state.rowCount]).toEqual(['null 100', 1]);
  });
});
