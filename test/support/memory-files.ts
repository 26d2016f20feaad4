import type { PGlite } from '@electric-sql/pglite';

/** A file in memory: its bytes, and room for more. */
type MemoryFile = { contents: Uint8Array; readonly usedBytes: number };

type Write = (
  stream: { readonly node: MemoryFile },
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: number,
  isOwn?: boolean,
) => number;

type Files = {
  writeFile(path: string, text: string): void;
  lookupPath(path: string): { readonly node: { readonly stream_ops: { write: Write } } };
  unlink(path: string): void;
};

/** A file that exists while the operations of files are looked up, which all files in memory share. */
const probe = '/operations-of-files';

/** Makes room for so many bytes: at least twice of what there was. */
function makeRoom(file: MemoryFile, bytes: number): void {
  const room = file.contents.length;
  if (room >= bytes) return;
  const grown = new Uint8Array(Math.max(bytes, room * 2));
  grown.set(file.contents.subarray(0, file.usedBytes));
  file.contents = grown;
}

/**
 * Lets files in memory double when they outgrow their room. Emscripten adds an eighth beyond 1 MB and copies the file each time: a test that writes
 * 100,000 rows spent a quarter of its time on that.
 */
export function doubleFiles(client: PGlite): void {
  const files = client.Module.FS as unknown as Files;
  files.writeFile(probe, '');
  const operations = files.lookupPath(probe).node.stream_ops;
  files.unlink(probe);
  const { write } = operations;
  operations.write = (stream, bytes, offset, length, position, isOwn) => {
    // The first bytes of a file become its contents as they are.
    if (stream.node.usedBytes > 0) makeRoom(stream.node, position + length);
    return write(stream, bytes, offset, length, position, isOwn);
  };
}
