import type { MouseEvent, ReactNode } from 'react';
import { openAddress } from '../router-address.ts';

type PageLinkProps = {
  readonly href: string;
  readonly className: string | undefined;
  readonly isCurrent: boolean;
  /** Accessible name of the link. Required if its content has no text for screen readers. */
  readonly label?: string | undefined;
  readonly children: ReactNode;
};

/** Navigates with the router unless the user opens the link in a new tab or window. */
function follow(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  openAddress(event.currentTarget.href);
}

/** Link to a dashboard page, for use in the frame. Works before react-aria is loaded. */
export const PageLink = ({ href, className, isCurrent, label, children }: PageLinkProps) => (
  <a
    href={href}
    className={className}
    aria-label={label}
    aria-current={isCurrent ? 'page' : undefined}
    onClick={follow}
  >
    {children}
  </a>
);
