import { type ReactNode, use } from 'react';
import { createPortal } from 'react-dom';
import { CrumbSlot } from './crumb-slot.ts';
import { HeadingLevel } from './heading-level.ts';
import styles from './page.module.css';

type PageProps = {
  readonly title: ReactNode;
  /** One line below the title, such as an ID, a date or a person. */
  readonly subtitle?: ReactNode;
  readonly status?: ReactNode;
  readonly breadcrumbs?: ReactNode;
  /** Buttons on the right, the most frequently used one last. */
  readonly actions?: ReactNode;
  /** List of facts in a narrow column to the right of the content. */
  readonly aside?: ReactNode;
  readonly tabs?: ReactNode;
  /** True if the title is visible only in the breadcrumbs. */
  readonly isTitleHidden?: boolean;
  /** `full` extends the content to the bottom of the window, for grids that scroll on their own. */
  readonly height?: 'content' | 'full';
  readonly children?: ReactNode;
};

type CrumbsProps = Pick<PageProps, 'title' | 'breadcrumbs'>;

/** Shows the breadcrumbs in the frame. They end with the title, which is repeated from the page's heading and hidden from screen readers. */
function Crumbs({ title, breadcrumbs }: CrumbsProps) {
  const slot = use(CrumbSlot);
  if (slot === null) return breadcrumbs;
  return createPortal(
    <div className={styles.crumbs}>
      {breadcrumbs}
      {typeof title === 'string' && <span className={styles.crumb} data-title={title} aria-hidden="true" />}
    </div>,
    slot,
  );
}

/** Page with a header and content. The title receives the focus after navigation. */
export const Page = ({
  title,
  subtitle,
  status,
  breadcrumbs,
  actions,
  aside,
  tabs,
  isTitleHidden = false,
  height = 'content',
  children,
}: PageProps) => (
  <div className={styles.page} data-height={height}>
    <header className={styles.header} data-hidden={isTitleHidden || undefined}>
      <Crumbs title={title} breadcrumbs={breadcrumbs} />
      <div className={styles.headline}>
        <div className={styles.titles}>
          <div className={styles.titleRow}>
            <h1 className={styles.title} tabIndex={-1} data-page-title="" dir="auto">
              {title}
            </h1>
            {status}
          </div>
          {subtitle && <div className={styles.subtitle}>{subtitle}</div>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {tabs}
    </header>
    {aside === undefined ? (
      <div className={styles.content}>{children}</div>
    ) : (
      <div className={styles.split}>
        <div className={styles.content}>{children}</div>
        <div className={styles.aside}>{aside}</div>
      </div>
    )}
  </div>
);

type SectionProps = {
  readonly title?: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

export const Section = ({ title, description, actions, children }: SectionProps) => (
  <section className={styles.section}>
    {(title !== undefined || actions !== undefined) && (
      <header className={styles.sectionHeader}>
        <div>
          <h2 className={styles.sectionTitle}>{title}</h2>
          {description !== undefined && <p className={styles.sectionText}>{description}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
    )}
    <HeadingLevel value={title === undefined ? 2 : 3}>{children}</HeadingLevel>
  </section>
);
