import { type ReactNode, use } from 'react';
import { HeadingLevel } from './heading-level.ts';
import styles from './layout.module.css';

/** Spacing in steps of 4 px. */
type Space = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 8 | 10 | 12;

type StackProps = {
  readonly gap?: Space;
  readonly align?: 'start' | 'center' | 'end' | 'stretch';
  readonly as?: 'div' | 'section' | 'ul' | 'ol' | 'li' | 'nav' | 'form' | 'header' | 'footer';
  readonly children?: ReactNode;
};

export const Stack = ({ gap = 4, align = 'stretch', as: Element = 'div', children }: StackProps) => (
  <Element className={styles.stack} data-gap={gap} data-align={align}>
    {children}
  </Element>
);

type RowProps = StackProps & {
  readonly justify?: 'start' | 'center' | 'end' | 'between';
  /** True to wrap children onto the next line. Defaults to true. */
  readonly wrap?: boolean;
};

/** Arranges children in a row, vertically centered. */
export const Row = ({
  gap = 2,
  align = 'center',
  justify = 'start',
  wrap = true,
  as: Element = 'div',
  children,
}: RowProps) => (
  <Element
    className={styles.row}
    data-gap={gap}
    data-align={align}
    data-justify={justify}
    data-wrap={wrap || undefined}
  >
    {children}
  </Element>
);

type ColumnsProps = {
  /** Number of columns on wide pages, `aside` for a narrow right column, or `facts` for a narrow left column. */
  readonly count?: 2 | 3 | 4 | 'aside' | 'facts';
  readonly gap?: Space;
  readonly children?: ReactNode;
};

/** Arranges children in columns. A narrow container stacks them. */
export const Columns = ({ count = 2, gap = 5, children }: ColumnsProps) => (
  <div className={styles.container}>
    <div className={styles.columns} data-count={count} data-gap={gap}>
      {children}
    </div>
  </div>
);

/** Fills the remaining space in a `Row` or `Stack`. */
export const Grow = ({ children }: { readonly children?: ReactNode }) => (
  <div className={styles.grow}>{children}</div>
);

type CardProps = {
  readonly title?: ReactNode;
  /** Content at the right end of the title row, such as buttons. */
  readonly actions?: ReactNode;
  readonly footer?: ReactNode;
  /** Space between the title and the content. Use `none` for tables and lists, which start at the line. */
  readonly padding?: 'normal' | 'none';
  readonly tone?: 'plain' | 'sunken';
  readonly children?: ReactNode;
};

/** Section with an optional title, actions and footer. A line separates the title from the content. */
export function Card({ title, actions, footer, padding = 'normal', tone = 'plain', children }: CardProps) {
  const Title = `h${use(HeadingLevel)}` as const;
  return (
    <section className={styles.card} data-tone={tone}>
      {(title !== undefined || actions !== undefined) && (
        <header className={styles.cardHeader}>
          <Title className={styles.cardTitle}>{title}</Title>
          {actions !== undefined && <div className={styles.cardActions}>{actions}</div>}
        </header>
      )}
      <div className={styles.cardBody} data-padding={padding}>
        {children}
      </div>
      {footer !== undefined && <footer className={styles.cardFooter}>{footer}</footer>}
    </section>
  );
}

/** Document that a customer receives, such as an invoice. */
export const Paper = ({ children }: { readonly children?: ReactNode }) => (
  <div className={styles.paper}>{children}</div>
);

type SlipProps = {
  /** Content below the tear line, such as the total. */
  readonly stub: ReactNode;
  readonly children?: ReactNode;
};

/** Slip like a receipt: content, a tear line, and the total. */
export const Slip = ({ stub, children }: SlipProps) => (
  <div className={styles.slip}>
    <div className={styles.slipBody}>{children}</div>
    <div className={styles.slipStub}>{stub}</div>
  </div>
);

export const Divider = ({ vertical = false }: { readonly vertical?: boolean }) =>
  vertical ? (
    <span className={styles.dividerVertical} aria-hidden="true" />
  ) : (
    <hr className={styles.divider} />
  );
