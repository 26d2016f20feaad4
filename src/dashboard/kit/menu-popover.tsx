import CheckIcon from 'lucide-react/icons/check';
import type { RefObject } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu as AriaMenu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Popover as AriaPopover } from 'react-aria-components/Popover';
import { KeyHint } from './key-hint.tsx';
import type { MenuAction, MenuGroup } from './menu.tsx';
import styles from './popover.module.css';

const item = ({
  id,
  label,
  help,
  icon,
  keys,
  tone,
  isDisabled = false,
  isChecked,
  href,
  onAction,
}: MenuAction) => (
  <MenuItem
    key={id}
    id={id}
    textValue={label}
    isDisabled={isDisabled}
    className={styles.item ?? ''}
    data-tone={tone}
    {...(href !== undefined && { href })}
    {...(onAction !== undefined && { onAction })}
  >
    {(icon !== undefined || isChecked !== undefined) && (
      <span className={styles.itemIcon}>{isChecked === true ? <CheckIcon /> : icon}</span>
    )}
    <span className={styles.itemText}>
      {label}
      {help !== undefined && <span className={styles.itemHelp}>{help}</span>}
    </span>
    {keys !== undefined && <KeyHint keys={keys} />}
  </MenuItem>
);

type MenuPopoverProps = {
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  readonly placement: 'bottom start' | 'bottom end';
  /** Button that opens the menu. Receives the focus when the menu closes. */
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Popover with the actions of a menu. */
export const MenuPopover = ({ label, groups, placement, trigger, isOpen, onClose }: MenuPopoverProps) => (
  <AriaPopover
    className={styles.popover ?? ''}
    aria-label={label}
    placement={placement}
    offset={4}
    triggerRef={trigger}
    isOpen={isOpen}
    onOpenChange={(next) => {
      if (!next) onClose();
    }}
  >
    <AriaMenu className={styles.list ?? ''} aria-label={label} autoFocus="first" onClose={onClose}>
      {groups.map(({ title, items: actions }, index) => (
        <MenuSection key={title ?? index} className={styles.group ?? ''} aria-label={title ?? label}>
          {title !== undefined && <Header className={styles.groupTitle ?? ''}>{title}</Header>}
          {actions.map(item)}
        </MenuSection>
      ))}
    </AriaMenu>
  </AriaPopover>
);
