import ArrowDownIcon from 'lucide-react/icons/arrow-down';
import ArrowUpIcon from 'lucide-react/icons/arrow-up';
import GripVerticalIcon from 'lucide-react/icons/grip-vertical';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import { IconButton } from './button.tsx';
import { movedIds } from './moved-ids.ts';
import { useKit } from './provider.tsx';
import styles from './reorder-list.module.css';

type ReorderItem = { readonly id: string; readonly label: string; readonly content: ReactNode };

type ReorderListProps = {
  readonly label: string;
  readonly items: readonly ReorderItem[];
  /** Called with all IDs in their new order. */
  readonly onReorder: (ids: string[]) => void;
  readonly isDisabled?: boolean;
};

/** List that can be reordered by dragging, with the keyboard, and with buttons. */
export function ReorderList({ label, items, onReorder, isDisabled = false }: ReorderListProps) {
  const { words } = useKit();
  const ids = items.map(({ id }) => id);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder: ({ keys, target }) =>
      onReorder(
        movedIds(ids, new Set([...keys].map(String)), String(target.key), target.dropPosition === 'before'),
      ),
  });
  const swap = (index: number, by: 1 | -1) => {
    const [one, other] = [ids[index], ids[index + by]];
    if (one !== undefined && other !== undefined)
      onReorder(ids.map((id) => (id === one ? other : id === other ? one : id)));
  };
  return (
    <GridList
      aria-label={label}
      className={styles.list ?? ''}
      items={items.map((item) => ({ ...item }))}
      {...(!isDisabled && items.length > 1 && { dragAndDropHooks })}
    >
      {items.map(({ id, label: name, content }, index) => (
        <GridListItem key={id} id={id} textValue={name} className={styles.item ?? ''}>
          {items.length > 1 && !isDisabled && (
            <AriaButton slot="drag" className={styles.handle ?? ''} aria-label={words.drag({ name })}>
              <GripVerticalIcon />
            </AriaButton>
          )}
          <div className={styles.content}>{content}</div>
          {items.length > 1 && !isDisabled && (
            <div className={styles.moves}>
              <IconButton
                label={words.moveUp({ name })}
                icon={<ArrowUpIcon />}
                size="sm"
                isDisabled={index === 0}
                onPress={() => swap(index, -1)}
              />
              <IconButton
                label={words.moveDown({ name })}
                icon={<ArrowDownIcon />}
                size="sm"
                isDisabled={index === items.length - 1}
                onPress={() => swap(index, 1)}
              />
            </div>
          )}
        </GridListItem>
      ))}
    </GridList>
  );
}
