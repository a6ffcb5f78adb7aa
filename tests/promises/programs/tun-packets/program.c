// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(void)
{
	// An IPv4 packet of protocol 253 (for experiments), to nobody, whose sum is right.
	unsigned char packet[100] = { 0x45, 0, 0,   100, 0, 0, 0,   0, 64, 253,
				      0,    0, 192, 0,	 2, 1, 192, 0, 2,  2 };
	struct ifreq r = { .ifr_flags = IFF_TUN | IFF_NO_PI };
	int tun = open("/dev/net/tun", O_RDWR), s = socket(AF_INET, SOCK_DGRAM, 0);
	unsigned int sum = 0;

	for (int i = 0; i < 20; i += 2)
		sum += packet[i] << 8 | packet[i + 1];
	sum = ~((sum & 0xffff) + (sum >> 16));
	packet[10] = sum >> 8;
	packet[11] = sum;
	strcpy(r.ifr_name, "promise%d");
	if (tun < 0 || s < 0 || ioctl(tun, TUNSETIFF, &r))
		return 1;
	r.ifr_flags = IFF_UP;
	if (ioctl(s, SIOCSIFFLAGS, &r))
		return 1;
	for (int i = 0; i < 100000; i++)
		if (write(tun, packet, sizeof(packet)) != sizeof(packet))
			return 1;
	return 0;
}
