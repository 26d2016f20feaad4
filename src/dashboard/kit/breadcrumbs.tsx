import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import styles from './breadcrumbs.module.css';
import { Link } from './link.tsx';
import { useKit } from './provider.tsx';

type BreadcrumbsProps = { readonly items: readonly { readonly label: string; readonly href: string }[] };

/** Links to the list and the parent of the page. The title of the page follows them. */
export function Breadcrumbs({ items }: BreadcrumbsProps) {
  const { words } = useKit();
  return (
    <nav aria-label={words.breadcrumbs}>
      <ol className={styles.list}>
        {items.map(({ label, href }) => (
          <li key={href} className={styles.item}>
            <Link href={href} kind="muted">
              {label}
            </Link>
            <ChevronRightIcon aria-hidden="true" />
          </li>
        ))}
      </ol>
    </nav>
  );
}
