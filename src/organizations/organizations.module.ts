import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Membership } from './membership.entity.js';
import { MembershipsService } from './memberships.service.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Membership, User])],
  providers: [MembershipsService, UsersService],
  exports: [MembershipsService, UsersService],
})
export class OrganizationsModule {}
