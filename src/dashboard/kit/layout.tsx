import { type ReactNode, use } from 'react';
import { cx } from './class-names.ts';
import { HeadingLevel } from './heading-level.ts';
import styles from './layout.module.css';

/** Steps of 4 px. */
export type Space = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 8 | 10 | 12;

type StackProps = {
  readonly gap?: Space;
  readonly align?: 'start' | 'center' | 'end' | 'stretch';
  readonly as?: 'div' | 'section' | 'ul' | 'ol' | 'li' | 'nav' | 'form' | 'header' | 'footer';
  readonly children?: ReactNode;
};

/** Children below each other. */
export const Stack = ({ gap = 4, align = 'stretch', as: Element = 'div', children }: StackProps) => (
  <Element className={styles.stack} data-gap={gap} data-align={align}>
    {children}
  </Element>
);

type RowProps = StackProps & {
  readonly justify?: 'start' | 'center' | 'end' | 'between';
  /** Whether children go to a new line where there is no room. Defaults to true. */
  readonly wrap?: boolean;
};

/** Children beside each other, centered on one line. */
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
  /** Columns on wide pages, or `aside` for a narrow one after a wide one, `facts` for a narrow one before it. */
  readonly count?: 2 | 3 | 4 | 'aside' | 'facts';
  readonly gap?: Space;
  readonly children?: ReactNode;
};

/** Children in columns of a grid; below each other where the container is narrow. */
export const Columns = ({ count = 2, gap = 5, children }: ColumnsProps) => (
  <div className={styles.container}>
    <div className={styles.columns} data-count={count} data-gap={gap}>
      {children}
    </div>
  </div>
);

/** Takes the room that is left in a Row or Stack. */
export const Grow = ({ children }: { readonly children?: ReactNode }) => (
  <div className={styles.grow}>{children}</div>
);

type CardProps = {
  readonly title?: ReactNode;
  /** Beside the title, on the right. */
  readonly actions?: ReactNode;
  readonly footer?: ReactNode;
  /** `none` for tables and lists that reach the borders. */
  readonly padding?: 'normal' | 'none';
  readonly tone?: 'plain' | 'sunken';
  readonly children?: ReactNode;
};

/** A bordered surface with an optional title, actions and footer. */
export function Card({ title, actions, footer, padding = 'normal', tone = 'plain', children }: CardProps) {
  const Title = `h${use(HeadingLevel)}` as const;
  return (
    <section className={styles.card} data-tone={tone}>
      {(title !== undefined || actions !== undefined) && (
        <header className={cx(styles.cardHeader, padding === 'none' && styles.cardHeaderLined)}>
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

/** A thin line between things. */
export const Divider = ({ vertical = false }: { readonly vertical?: boolean }) =>
  vertical ? (
    <span className={styles.dividerVertical} aria-hidden="true" />
  ) : (
    <hr className={styles.divider} />
  );
