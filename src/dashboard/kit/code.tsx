import { useState } from 'react';
import styles from './code.module.css';
import { CopyButton } from './copy.tsx';

export type CodeSample = { readonly id: string; readonly label: string; readonly code: string };

type CodeProps = {
  readonly label: string;
  readonly code?: string;
  /** Code samples in several languages. Replace `code`. */
  readonly samples?: readonly CodeSample[];
};

/** Code block with a copy button. If there are several samples, the reader can select a language. */
export function Code({ label, code = '', samples = [] }: CodeProps) {
  const [chosen, choose] = useState(samples[0]?.id);
  const sample = samples.find(({ id }) => id === chosen) ?? samples[0];
  const text = sample?.code ?? code;
  return (
    <div className={styles.block}>
      <div className={styles.bar}>
        {samples.length > 0 && (
          <fieldset className={styles.languages} aria-label={label}>
            {samples.map(({ id, label: name }) => (
              <button
                key={id}
                type="button"
                className={styles.language}
                aria-pressed={id === sample?.id}
                onClick={() => choose(id)}
              >
                {name}
              </button>
            ))}
          </fieldset>
        )}
        <CopyButton value={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard. */}
      <section className={styles.scroller} aria-label={label} tabIndex={0}>
        <pre className={styles.code}>
          <code>{text}</code>
        </pre>
      </section>
    </div>
  );
}
