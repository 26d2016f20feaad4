import type { members as english } from '../en/members.ts';
import type { Translation } from '../words.ts';

export const members: Translation<typeof english> = {
  actions: 'Acciones',
  text: 'Las personas de la organización. Ven el entorno de pruebas y el de producción.',
  people: 'Miembros',
  name: 'Nombre',
  email: 'Correo electrónico',
  role: 'Rol',
  since: 'Desde',
  you: 'Tú',
  roles: { owner: 'Propietario', admin: 'Administrador', member: 'Miembro' },
  roleHelp: {
    admin: 'Todo menos cambiar el propietario: ajustes, claves, webhooks y miembros.',
    member: 'Clientes, catálogo, facturación e informes. Sin ajustes, claves ni miembros.',
  },
  invite: 'Invitar a alguien',
  inviteHelp: 'Recibe un correo con un enlace que funciona una vez, durante siete días.',
  sendInvitation: 'Enviar invitación',
  invited: (email: string) => `Se ha invitado a ${email}.`,
  invitations: 'Invitaciones',
  expires: 'Válida hasta',
  expired: 'Caducada',
  cancelInvitation: 'Cancelar invitación',
  canceled: (email: string) => `La invitación de ${email} se ha cancelado. Su enlace ya no funciona.`,
  makeRole: { admin: 'Hacer administrador', member: 'Hacer miembro', owner: 'Hacer propietario' },
  roleTitle: (name: string, role: string) => `¿Cambiar el rol de ${name} a ${role}?`,
  roleSet: (name: string, role: string) => `El rol de ${name} es ahora ${role}.`,
  remove: 'Quitar',
  removeTitle: (name: string) => `¿Quitar a ${name}?`,
  removed: (name: string) => `Se ha quitado a ${name}.`,
  consequences: {
    admin: 'Los administradores cambian ajustes, claves, webhooks y miembros.',
    member: 'Los miembros no ven ajustes, claves ni webhooks. Las claves que crearon siguen funcionando.',
    owner: 'Pasas a ser administrador. Solo el nuevo propietario puede volver a hacerte propietario.',
    removed: 'Pierde el acceso al momento. Las claves que creó funcionan hasta que las revoques.',
  },
  liveOnly: 'Los miembros se cambian en el entorno de producción',
  liveOnlyText:
    'El entorno de pruebas y el de producción tienen los mismos miembros. Cambia a producción para invitar, cambiar o quitar.',
  switchToLive: 'Cambiar a producción',
};
