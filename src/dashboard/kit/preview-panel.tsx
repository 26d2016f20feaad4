import type { ReactNode } from 'react';
import { Callout } from './callout.tsx';
import { Diff, type DiffItem } from './diff.tsx';
import styles from './preview-panel.module.css';
import { useKit } from './provider.tsx';
import { Skeleton } from './states.tsx';
import { Text } from './text.tsx';
import { DateTime, Money } from './values.tsx';

/** Line item of a previewed document. `reason` explains how the amount was calculated, with the rule and the numbers. */
type PreviewLine = {
  readonly id: string;
  readonly label: ReactNode;
  readonly detail?: ReactNode;
  readonly reason?: ReactNode;
  readonly minor: number;
};

/** Invoice, credit note or receipt that the command would create. */
type PreviewDocument = {
  readonly id: string;
  readonly title: ReactNode;
  readonly currency: string;
  readonly lines: readonly PreviewLine[];
  /** Discounts, tax and amount due, in order, shown before the total. */
  readonly sums?: readonly { readonly id: string; readonly label: ReactNode; readonly minor: number }[];
  readonly total: number;
};

/** Preview of a command, as the panel displays it. */
type Preview = {
  /** Result in one sentence, such as "Ada is charged $61.20 now." */
  readonly headline?: ReactNode;
  readonly documents?: readonly PreviewDocument[];
  /** Payment attempts with their payment methods. */
  readonly charges?: readonly {
    readonly id: string;
    readonly label: ReactNode;
    readonly minor: number;
    readonly currency: string;
  }[];
  readonly changes?: readonly DiffItem[];
  /** Later events, such as the next renewal, with their dates. */
  readonly dates?: readonly { readonly id: string; readonly label: ReactNode; readonly at: string }[];
  /** Types of events that would be sent to webhook endpoints. */
  readonly events?: readonly string[];
};

type PreviewPanelProps = {
  readonly preview: Preview | null;
  /** Reason why the API would reject the command. */
  readonly rejection?: ReactNode;
  /** True while a new preview loads. The previous preview stays visible in gray. */
  readonly isPending?: boolean;
};

/** Preview next to a form: documents with line items and explanations, charges, changes, dates, events, or the reason for a rejection. */
export function PreviewPanel({ preview, rejection, isPending = false }: PreviewPanelProps) {
  const { words } = useKit();
  return (
    <section className={styles.panel} aria-label={words.preview} aria-busy={isPending}>
      <h3 className={styles.heading}>{words.preview}</h3>
      <div className={styles.body} data-pending={isPending || undefined} aria-live="polite">
        {rejection !== undefined ? (
          <Callout tone="negative">{rejection}</Callout>
        ) : preview === null ? (
          <Skeleton lines={5} />
        ) : (
          <Outcome preview={preview} />
        )}
      </div>
    </section>
  );
}

function Outcome({ preview }: { readonly preview: Preview }) {
  const { words } = useKit();
  const { headline, documents = [], charges = [], changes = [], dates = [], events = [] } = preview;
  return (
    <>
      {headline !== undefined && <p className={styles.headline}>{headline}</p>}
      {documents.map((document) => (
        <PreviewedDocument key={document.id} document={document} />
      ))}
      {charges.length > 0 && (
        <Part title={words.charges}>
          {charges.map(({ id, label, minor, currency }) => (
            <div key={id} className={styles.line}>
              <span>{label}</span>
              <Money minor={minor} currency={currency} />
            </div>
          ))}
        </Part>
      )}
      {changes.length > 0 && (
        <Part title={words.changes}>
          <Diff items={changes} />
        </Part>
      )}
      {dates.length > 0 && (
        <Part title={words.later}>
          {dates.map(({ id, label, at }) => (
            <div key={id} className={styles.line}>
              <span>{label}</span>
              <DateTime at={at} />
            </div>
          ))}
        </Part>
      )}
      {events.length > 0 && (
        <Part title={words.events}>
          <Text as="p" size="xs" color="muted" code>
            {events.join(', ')}
          </Text>
        </Part>
      )}
    </>
  );
}

const Part = ({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) => (
  <div className={styles.part}>
    <h4 className={styles.partTitle}>{title}</h4>
    {children}
  </div>
);

function PreviewedDocument({ document }: { readonly document: PreviewDocument }) {
  const { words } = useKit();
  const { title, currency, lines, sums = [], total } = document;
  return (
    <div className={styles.document}>
      <h4 className={styles.documentTitle}>{title}</h4>
      {lines.map(({ id, label, detail, reason, minor }) => (
        <div key={id} className={styles.entry}>
          <div className={styles.line}>
            <span>{label}</span>
            <Money minor={minor} currency={currency} />
          </div>
          {detail !== undefined && <div className={styles.detail}>{detail}</div>}
          {reason !== undefined && (
            <details className={styles.reason}>
              <summary>{words.why}</summary>
              {reason}
            </details>
          )}
        </div>
      ))}
      <div className={styles.sums}>
        {sums.map(({ id, label, minor }) => (
          <div key={id} className={styles.line}>
            <span>{label}</span>
            <Money minor={minor} currency={currency} />
          </div>
        ))}
        <div className={styles.total}>
          <span>{words.total}</span>
          <Money minor={total} currency={currency} />
        </div>
      </div>
    </div>
  );
}
