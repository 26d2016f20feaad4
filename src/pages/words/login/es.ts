import type { Areas } from '../areas.ts';

/** What the page says in Spanish at which customers ask for a link to the portal. */
export const words: Areas['login'] = {
  page: 'Iniciar sesión',
  title: 'Tu suscripción',
  text: 'Te enviamos un enlace por correo. No necesitas contraseña.',
  send: 'Enviar enlace',
  sent: 'Si conocemos esta dirección, te llegará un correo con un enlace. El enlace funciona durante una hora.',
  again: 'Usar otra dirección',
  unknown: 'Esta página no existe. Revisa la dirección o pídesela al vendedor.',
  unavailable: 'La página no se puede mostrar ahora. Vuelve a cargarla para intentarlo de nuevo.',
  failed: 'No ha funcionado. Inténtalo de nuevo.',
  noAnswer: 'No se puede conectar con el servicio. Inténtalo de nuevo.',
};
