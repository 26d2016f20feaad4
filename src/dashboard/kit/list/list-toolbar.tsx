import type { ReactNode } from 'react';
import { SearchField } from '../text-field.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Filter, FilterField } from './filters.ts';
import styles from './list.module.css';
import { useTyped } from './use-typed.ts';

type ListToolbarProps = {
  /** What is searched and where: Search customers by name or email. Without it there is no search. */
  readonly searchLabel?: string;
  readonly search?: string;
  readonly onSearch?: (text: string) => void;
  readonly fields?: readonly FilterField[];
  readonly filters?: readonly Filter[];
  readonly onFilters?: (filters: readonly Filter[]) => void;
  /** How many rows there are, already formatted. */
  readonly count?: ReactNode;
  /** Saved views. */
  readonly views?: ReactNode;
  /** The display menu, export and the button that makes a new one, in this order. */
  readonly actions?: ReactNode;
};

/** The head of a list: search, filters as chips, then views and actions. */
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
