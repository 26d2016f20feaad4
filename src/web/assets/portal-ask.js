// The question before something is charged or changed in the portal.

import { element } from './page.js';

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('ask-dialog'));

/** Asks once, and goes on when the customer agrees. @param {string} title @param {string} text @param {string} label @param {() => unknown} then */
export function askFirst(title, text, label, then) {
  element('ask-title').textContent = title;
  element('ask-text').textContent = text;
  element('ask-confirm').textContent = label;
  element('ask-confirm').onclick = () => {
    dialog.close();
    return then();
  };
  dialog.showModal();
}

element('ask-close').addEventListener('click', () => dialog.close());
