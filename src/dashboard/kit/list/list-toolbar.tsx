import type { ReactNode } from 'react';
import { SearchField } from '../text-field.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Filter, FilterField } from './filters.ts';
import styles from './list.module.css';
import { useTyped } from './use-debounced-text.ts';

type ListToolbarProps = {
  /** Label of the search field, such as "Search customers by name or email". Omit to hide the search field. */
  readonly searchLabel?: string;
  readonly search?: string;
  readonly onSearch?: (text: string) => void;
  readonly fields?: readonly FilterField[];
  readonly filters?: readonly Filter[];
  readonly onFilters?: (filters: readonly Filter[]) => void;
  /** Formatted number of rows. */
  readonly count?: ReactNode;
  /** Component that lists the saved views. */
  readonly views?: ReactNode;
  /** Buttons in this order: display menu, export, create. */
  readonly actions?: ReactNode;
};

/** Toolbar of a list: search field, filters, views and actions. */
export function ListToolbar({
  searchLabel,
  search = '',
  onSearch,
  fields = [],
  filters = [],
  onFilters,
  count,
  views,
  actions,
}: ListToolbarProps) {
  const [typed, type] = useTyped(search, onSearch);
  return (
    <div className={styles.toolbar}>
      {searchLabel !== undefined && (
        <div className={styles.search}>
          <SearchField label={searchLabel} value={typed} onChange={type} />
        </div>
      )}
      {fields.length > 0 && onFilters !== undefined && (
        <FilterBar fields={fields} filters={filters} onChange={onFilters} />
      )}
      <div className={styles.end}>
        {count !== undefined && <span className={styles.count}>{count}</span>}
        {views}
        {actions}
      </div>
    </div>
  );
}
