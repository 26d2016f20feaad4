import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import { type CSSProperties, useMemo, useState } from 'react';
import { CopyButton } from './copy.tsx';
import styles from './json.module.css';
import { isHit, type JsonLine, jsonLines } from './json-tree.ts';
import { useKit } from './provider.tsx';
import { SearchField } from './text-field.tsx';

type JsonProps = {
  readonly label: string;
  readonly value: unknown;
  /** Nesting depth where objects and lists are initially folded. Defaults to 3. */
  readonly foldFrom?: number;
  readonly hasSearch?: boolean;
};

/** JSON as a foldable tree with search. The path of each value can be copied. */
export function Json({ label, value, foldFrom = 3, hasSearch = true }: JsonProps) {
  const { words } = useKit();
  const [search, setSearch] = useState('');
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const depths = useMemo(() => new Map(jsonLines(value).map(({ path, depth }) => [path, depth])), [value]);
  const isFolded = (path: string) =>
    search === '' && (depths.get(path) ?? 0) >= foldFrom !== turned.has(path);
  const lines = jsonLines(value, isFolded);
  const turn = (path: string) => {
    const next = new Set(turned);
    if (!next.delete(path)) next.add(path);
    setTurned(next);
  };
  return (
    <div className={styles.json}>
      {hasSearch && (
        <div className={styles.bar}>
          <SearchField label={words.search} value={search} onChange={setSearch} />
          <CopyButton value={JSON.stringify(value, null, 2) ?? ''} />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard. */}
      <section className={styles.scroller} aria-label={label} tabIndex={0}>
        <ul className={styles.lines}>
          {lines.map((line) => (
            <Line
              key={line.path}
              line={line}
              isFolded={isFolded(line.path)}
              isFound={isHit(line, search)}
              onTurn={turn}
            />
          ))}
        </ul>
      </section>
    </div>
  );
}

type LineProps = {
  readonly line: JsonLine;
  readonly isFolded: boolean;
  readonly isFound: boolean;
  readonly onTurn: (path: string) => void;
};

function Line({ line, isFolded, isFound, onTurn }: LineProps) {
  const { words } = useKit();
  const { path, depth, name, kind, text, size } = line;
  const isBranch = kind === 'object' || kind === 'list';
  const [opening, closing] = kind === 'list' ? ['[', ']'] : ['{', '}'];
  return (
    <li
      className={styles.line}
      data-found={isFound || undefined}
      style={{ '--depth': depth } as CSSProperties}
    >
      {isBranch && size > 0 ? (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={!isFolded}
          aria-label={`${isFolded ? words.show : words.hide} ${path}`}
          onClick={() => onTurn(path)}
        >
          {isFolded ? <ChevronRightIcon /> : <ChevronDownIcon />}
        </button>
      ) : (
        <span className={styles.fold} />
      )}
      <span className={styles.text}>
        {name !== null && <span className={styles.name}>{name}: </span>}
        {isBranch ? (
          <span className={styles.size}>
            {opening}
            {size}
            {closing}
          </span>
        ) : (
          <span data-kind={kind} className={styles.value}>
            {text}
          </span>
        )}
      </span>
      <span className={styles.copy}>
        <CopyButton value={path} label={words.copyOf({ what: path })} />
      </span>
    </li>
  );
}
