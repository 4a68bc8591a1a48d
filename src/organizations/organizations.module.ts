import { Module } from '@nestjs/common';
import { AccessChangesService } from './access-changes.service.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { MembershipsService } from './memberships.service.js';
import { OrganizationCreationService } from './organization-creation.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';
import { PeopleController } from './people/people.controller.js';
import { PeopleService } from './people/people.service.js';
import { PermissionsController, RolesController } from './roles/roles.controller.js';
import { RolesService } from './roles/roles.service.js';

@Module({
  controllers: [
    InvitationsController,
    MembersController,
    OrganizationsController,
    PeopleController,
    PermissionsController,
    RolesController,
  ],
  providers: [
    AccessChangesService,
    InvitationsService,
    MembersService,
    MembershipsService,
    OrganizationCreationService,
    OrganizationsService,
    PeopleService,
    RolesService,
  ],
  exports: [AccessChangesService, MembershipsService, OrganizationCreationService, OrganizationsService],
})
export class OrganizationsModule {}
