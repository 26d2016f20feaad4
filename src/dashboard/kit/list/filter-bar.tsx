import PlusIcon from 'lucide-react/icons/plus';
import XIcon from 'lucide-react/icons/x';
import { useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Button } from '../button.tsx';
import { lazyPart } from '../lazy-part.tsx';
import { Menu } from '../menu.tsx';
import { useKit } from '../provider.tsx';
import { filterWords } from './filter-words.ts';
import { comparisonsOf, type Filter, type FilterField, withFilter, withoutFilter } from './filters.ts';
import styles from './list.module.css';

const FilterPopover = lazyPart(() => import('./filter-editor.tsx').then((module) => module.FilterPopover));

type FilterBarProps = {
  readonly fields: readonly FilterField[];
  readonly filters: readonly Filter[];
  readonly onChange: (filters: readonly Filter[]) => void;
};

/** Returns the initial filter for a field. */
const draftOf = (field: FilterField): Filter => ({
  field: field.id,
  comparison: comparisonsOf(field)[0] ?? 'is',
  values: field.kind === 'date' ? ['30d'] : field.kind === 'boolean' ? ['true'] : [],
});

/** Shows active filters as chips that open their editor, and a button that adds a filter. */
export function FilterBar({ fields, filters, onChange }: FilterBarProps) {
  const { words } = useKit();
  const [draft, setDraft] = useState<Filter | null>(null);
  const shown = draft === null ? filters : withFilter(filters, draft);
  const rest = fields.filter(({ id }) => !shown.some((filter) => filter.field === id));
  return (
    <fieldset className={styles.filters} aria-label={words.filters}>
      {shown.map((filter) => {
        const field = fields.find(({ id }) => id === filter.field);
        if (field === undefined) return null;
        const isDraft = filter === draft;
        return (
          <FilterChip
            key={filter.field}
            field={field}
            filter={filter}
            isOpenAtFirst={isDraft}
            onClose={() => setDraft(null)}
            onApply={(next) => {
              setDraft(null);
              onChange(withFilter(filters, next));
            }}
            onRemove={() => {
              setDraft(null);
              onChange(withoutFilter(filters, filter.field));
            }}
          />
        );
      })}
      {rest.length > 0 && (
        <Menu
          label={words.filter}
          icon={<PlusIcon />}
          kind="quiet"
          placement="bottom start"
          items={rest.map((field) => ({
            id: field.id,
            label: field.label,
            onAction: () => setDraft(draftOf(field)),
          }))}
        />
      )}
      {filters.length > 1 && (
        <Button kind="quiet" size="sm" onPress={() => onChange([])}>
          {words.clearFilters}
        </Button>
      )}
    </fieldset>
  );
}

type FilterChipProps = {
  readonly field: FilterField;
  readonly filter: Filter;
  readonly isOpenAtFirst: boolean;
  readonly onApply: (filter: Filter) => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
};

function FilterChip({ field, filter, isOpenAtFirst, onApply, onRemove, onClose }: FilterChipProps) {
  const kit = useKit();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [wasOpened, setOpened] = useState(isOpenAtFirst);
  const text = filter.values.length === 0 ? field.label : filterWords(filter, field, kit);
  const open = () => {
    setOpened(true);
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    onClose();
  };
  return (
    <span className={styles.chip}>
      <AriaButton
        ref={button}
        className={styles.chipButton ?? ''}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={open}
      >
        {text}
      </AriaButton>
      {wasOpened && (
        <FilterPopover
          field={field}
          filter={filter}
          trigger={button}
          isOpen={isOpen}
          onClose={close}
          onApply={(next) => {
            setOpen(false);
            onApply(next);
          }}
        />
      )}
      <AriaButton
        className={styles.chipRemove ?? ''}
        aria-label={kit.words.remove({ what: text })}
        onPress={onRemove}
      >
        <XIcon width={12} height={12} />
      </AriaButton>
    </span>
  );
}
