import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ClientCredentialsService } from './client-credentials.service.js';
import { ServiceAccountsController } from './service-accounts.controller.js';
import { ServiceAccountsService } from './service-accounts.service.js';

@Module({
  imports: [OrganizationsModule],
  controllers: [ServiceAccountsController],
  providers: [ClientCredentialsService, ServiceAccountsService],
  exports: [ClientCredentialsService],
})
export class ServiceAccountsModule {}
