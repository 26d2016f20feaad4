import EllipsisIcon from 'lucide-react/icons/ellipsis';
import { type ReactNode, useRef, useState } from 'react';
import { ButtonContext } from 'react-aria-components/Button';
import { Button, IconButton } from './button.tsx';
import { lazyPart } from './lazy-part.tsx';
import { useKit } from './provider.tsx';

export type MenuAction = {
  readonly id: string;
  readonly label: string;
  readonly help?: ReactNode;
  readonly icon?: ReactNode;
  readonly keys?: string;
  readonly tone?: 'danger';
  readonly isDisabled?: boolean;
  /** Shows a check mark next to the item, for menus that select a state. */
  readonly isChecked?: boolean;
  readonly href?: string;
  readonly onAction?: () => void;
};

export type MenuGroup = { readonly title?: string; readonly items: readonly MenuAction[] };

const MenuPopover = lazyPart(() => import('./menu-popover.tsx').then((module) => module.MenuPopover));

type MenuProps = {
  /** Button label. If omitted, the button shows three dots. */
  readonly label?: string;
  readonly icon?: ReactNode;
  readonly kind?: 'normal' | 'quiet' | 'primary';
  readonly size?: 'md' | 'sm';
  /** True for menus in grid rows. The grid opens them with the key `.`. */
  readonly isOutOfTabOrder?: boolean;
  readonly placement?: 'bottom start' | 'bottom end';
  readonly items?: readonly MenuAction[];
  readonly groups?: readonly MenuGroup[];
};

/** Button that opens a menu of actions or links. The menu is loaded when it is first opened. */
export function Menu({
  label,
  icon,
  kind = 'normal',
  size = 'md',
  placement = 'bottom end',
  isOutOfTabOrder = false,
  items = [],
  groups,
}: MenuProps) {
  const { words } = useKit();
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const open = () => {
    setOpened(true);
    setOpen(true);
  };
  const name = label ?? words.more;
  return (
    <>
      <ButtonContext
        value={{
          ref: trigger,
          'aria-haspopup': 'menu',
          'aria-expanded': isOpen,
          onPress: open,
          onHoverStart: MenuPopover.preload,
          onKeyDown: ({ key }) => {
            if (key === 'ArrowDown') open();
          },
        }}
      >
        {label === undefined ? (
          <IconButton
            label={name}
            icon={icon ?? <EllipsisIcon />}
            kind={kind === 'primary' ? 'normal' : kind}
            size={size}
            excludeFromTabOrder={isOutOfTabOrder}
          />
        ) : (
          <Button kind={kind} size={size} icon={icon}>
            {label}
          </Button>
        )}
      </ButtonContext>
      {wasOpened && (
        <MenuPopover
          label={name}
          groups={groups ?? [{ items }]}
          placement={placement}
          trigger={trigger}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
